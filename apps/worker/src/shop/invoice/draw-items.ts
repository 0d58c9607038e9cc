import type { Invoice } from './invoice.js';
import { BOLD, BOTTOM, COLOURS, MARGIN, PAGE_WIDTH, REGULAR, RIGHT, WIDTH } from './page.js';
import { toPrintable } from './to-printable.js';

type Doc = PDFKit.PDFDocument;

const PADDING = 8;
const HEAD_HEIGHT = 24;
const TOTAL_HEIGHT = 40;
/** The height of the total and the thanks below it, which stay on one page. */
const END_HEIGHT = TOTAL_HEIGHT + 70;
/** A longer text would fill the page. */
const MAX_DESCRIPTION = 300;
/** Where a further page begins. */
const NEXT_PAGE_Y = 56;

const COLUMNS = [
  { title: 'Description', x: MARGIN + PADDING, width: 232, align: 'left' },
  { title: 'Quantity', x: MARGIN + 244, width: 60, align: 'right' },
  { title: 'Unit price', x: MARGIN + 308, width: 76, align: 'right' },
  { title: 'Amount', x: MARGIN + 388, width: WIDTH - 388 - PADDING, align: 'right' },
] as const;

/** Draws the table of items from `y` on, over as many pages as it needs, and the total. Returns the `y` below it. */
export function drawItems(doc: Doc, invoice: Invoice, y: number): number {
  y = drawHead(doc, invoice, y);
  invoice.lines.forEach((line, index) => {
    const description = shorten(toPrintable(line.description, `Item ${index + 1} of order ${invoice.orderId}`));
    doc.font(REGULAR, 10);
    const height = doc.heightOfString(description, { width: COLUMNS[0].width, lineGap: 2 }) + 2 * PADDING - 2;
    const isLast = index === invoice.lines.length - 1;
    if (y + height + (isLast ? END_HEIGHT : 0) > BOTTOM) y = drawHead(doc, invoice, startPage(doc));
    drawRow(doc, y, [description, line.quantity, line.unit, line.amount]);
    y += height;
    doc.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).stroke(COLOURS.line);
  });
  drawTotal(doc, invoice, y + 12);
  return y + END_HEIGHT - 24;
}

function startPage(doc: Doc): number {
  doc.addPage();
  doc.rect(0, 0, PAGE_WIDTH, 8).fill(COLOURS.accent);
  return NEXT_PAGE_Y;
}

function drawHead(doc: Doc, { currency }: Invoice, y: number): number {
  doc.rect(MARGIN, y, WIDTH, HEAD_HEIGHT).fill(COLOURS.band);
  doc.font(BOLD, 9).fillColor(COLOURS.ink);
  for (const { title, x, width, align } of COLUMNS) {
    const text = title === 'Amount' ? `Amount (${toPrintable(currency, '?')})` : title;
    doc.text(text, x, y + 8, { width, align, lineBreak: false });
  }
  return y + HEAD_HEIGHT;
}

function drawRow(doc: Doc, y: number, [description = '', ...numbers]: readonly string[]): void {
  doc.font(REGULAR, 10).fillColor(COLOURS.ink);
  const [first, ...others] = COLUMNS;
  doc.text(description, first.x, y + PADDING, { width: first.width, lineGap: 2 });
  others.forEach(({ x, width }, index) => drawNumber(doc, numbers[index] ?? '', x, y + PADDING, width, 10));
}

/** Right-aligned, in a smaller size where it would not fit, because a number must not break. */
function drawNumber(doc: Doc, text: string, x: number, y: number, width: number, size: number): void {
  const fittingSize = size * Math.min(1, width / doc.fontSize(size).widthOfString(text));
  doc
    .fontSize(fittingSize)
    .text(text, x + width - doc.widthOfString(text), y + (size - fittingSize) * 0.7, { lineBreak: false });
}

function drawTotal(doc: Doc, { currency, total }: Invoice, y: number): void {
  const x = MARGIN + 244;
  doc.rect(x, y, RIGHT - x, TOTAL_HEIGHT - 10).fill(COLOURS.accent);
  doc
    .fillColor('#ffffff')
    .font(BOLD, 11)
    .text('Total', x + PADDING + 4, y + 10, { lineBreak: false });
  drawNumber(doc, `${toPrintable(currency, '')} ${total}`.trim(), x + 60, y + 10, RIGHT - x - 60 - PADDING, 11);
}

function shorten(text: string): string {
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}
