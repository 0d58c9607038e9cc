import { importRival } from './import-rival.js';
import { installRivals } from './install-rivals.js';

/** The width of a character as a share of its height, about. */
const LETTER = 0.57;
const FONT_SIZE = 12;
/** The text's colours follow the reader's theme, and the background is transparent. */
const STYLE = '<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>';
const CONFIG = {
  font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
  view: { stroke: null },
  background: null,
  padding: 10,
};

/** What is used of vega 6 and vega-lite 6. */
interface Vega {
  parse(spec: object): object;
  readonly textMetrics: {
    width: (item: { readonly text?: unknown; readonly fontSize?: number }, text?: unknown) => number;
  };
  readonly View: new (parsed: object, options: { readonly renderer: 'none' }) => { toSVG(): Promise<string> };
}
interface VegaLite {
  compile(spec: object): { readonly spec: object };
}

/**
 * Draws a chart that is described in the words of vega-lite, with its title.
 *
 * @throws where its packages cannot be installed
 */
export async function renderSvg(title: string, subtitle: string, chart: object): Promise<string> {
  await installRivals([], { isChartWanted: true });
  const { parse, textMetrics, View } = await importRival<Vega>('vega');
  // without a canvas vega takes every letter for a wide one, and leaves room for it
  textMetrics.width = (item, text) => String(text ?? item.text).length * (item.fontSize ?? FONT_SIZE) * LETTER;
  const { compile } = await importRival<VegaLite>('vega-lite');
  const head = { text: title, subtitle, anchor: 'start', fontSize: 16, subtitleFontSize: FONT_SIZE, offset: 16 };
  const { spec } = compile({ title: head, ...chart, config: CONFIG });
  const svg = await new View(parse(spec), { renderer: 'none' }).toSVG();
  return svg.replace('>', `>${STYLE}`);
}
