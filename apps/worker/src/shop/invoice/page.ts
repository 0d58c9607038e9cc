/** A4 in points, and what every page of an invoice has in common. */
export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;
export const MARGIN = 56;
export const RIGHT = PAGE_WIDTH - MARGIN;
export const WIDTH = RIGHT - MARGIN;
/** The footer begins below it. */
export const BOTTOM = PAGE_HEIGHT - 78;

/** Standard fonts: every reader has them, so none is embedded. They show WinAnsi characters only. */
export const REGULAR = 'Helvetica';
export const BOLD = 'Helvetica-Bold';

export const COLOURS = {
  ink: '#1d2433',
  soft: '#667085',
  accent: '#2f5bd7',
  line: '#d9dee8',
  band: '#f2f5fb',
} as const;
