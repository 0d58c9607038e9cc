/** What the packages of a folder are called before the slash: `my-app` of `My App`. */
export function toScope(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'app' : name;
}
