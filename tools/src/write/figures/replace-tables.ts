const MARKED = /^(<!-- figures: (\S+) -->\n)((?:(?!^<!-- figures: )[^])*?)(^<!-- \/figures -->)/gm;
const OPENING = /^<!-- figures: \S+ -->$/gm;

/**
 * Replaces the text between markers by what `render` makes of the marker's name: `<!-- figures: NAME -->` and `<!--
 * /figures -->`, each on a line of its own.
 *
 * @throws Error when a marker is not closed; what `render` throws
 */
export function replaceTables(text: string, render: (name: string) => string): string {
  const [unclosed] = text.replace(MARKED, '').match(OPENING) ?? [];
  if (unclosed !== undefined) throw new Error(`"${unclosed}" is not closed by "<!-- /figures -->".`);
  return text.replace(
    MARKED,
    (_, opening: string, name: string, _old: string, closing: string) => `${opening}\n${render(name)}\n\n${closing}`,
  );
}
