import Pdf from 'pdfkit';
import type { Invoice } from './invoice.js';
import { drawItems } from './draw-items.js';
import { BOLD, COLOURS, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, REGULAR, RIGHT, WIDTH } from './page.js';
import { seller } from './seller.js';
import { toPrintable } from './to-printable.js';

type Doc = PDFKit.PDFDocument;

/**
 * The invoice as a PDF of A4 pages, one unless it has very many lines. The same invoice makes the same bytes, because
 * its dates are the order's.
 */
export async function renderInvoice(invoice: Invoice): Promise<Buffer> {
  const doc = new Pdf({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: seller.name,
      CreationDate: invoice.paidAt,
      ModDate: invoice.paidAt,
    },
  });
  const chunks: Buffer[] = [];
  const content = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  drawHead(doc, invoice);
  const endY = drawItems(doc, invoice, 292);
  drawThanks(doc, invoice, endY);
  drawFeet(doc, invoice);
  doc.end();
  return content;
}

function drawHead(doc: Doc, invoice: Invoice): void {
  doc.rect(0, 0, PAGE_WIDTH, 8).fill(COLOURS.accent);
  doc.font(BOLD, 20).fillColor(COLOURS.ink).text(seller.name, MARGIN, 52, { lineBreak: false });
  doc
    .font(REGULAR, 9.5)
    .fillColor(COLOURS.soft)
    .text([...seller.address, seller.email].join('\n'), MARGIN, 80, { lineGap: 2.5 });
  doc.font(BOLD, 26).fillColor(COLOURS.accent).text('Invoice', MARGIN, 48, { width: WIDTH, align: 'right' });

  const facts = [
    ['Invoice number', invoice.number],
    ['Invoice date', invoice.date],
    ['Order', `No. ${invoice.orderId}`],
    ['Payment', `Paid on ${invoice.date}`],
  ] as const;
  facts.forEach(([label, value], index) => {
    const y = 186 + index * 17;
    doc
      .font(REGULAR, 9.5)
      .fillColor(COLOURS.soft)
      .text(label, RIGHT - 230, y, { width: 95, lineBreak: false });
    doc
      .font(BOLD, 9.5)
      .fillColor(COLOURS.ink)
      .text(value, RIGHT - 135, y, { width: 135, align: 'right', lineBreak: false });
  });

  // an address without its marks would be another address
  const email = toPrintable(invoice.customer.email, '') === invoice.customer.email ? invoice.customer.email : '';
  const name = toPrintable(invoice.customer.name, email || 'Customer');
  doc.font(REGULAR, 9.5).fillColor(COLOURS.soft).text('Billed to', MARGIN, 186);
  doc.font(BOLD, 11.5).fillColor(COLOURS.ink).text(name, MARGIN, 203, { width: 240, height: 29, ellipsis: true });
  if (email === name) return;
  doc
    .font(REGULAR, 9.5)
    .fillColor(COLOURS.soft)
    .text(email, MARGIN, doc.y + 3, { width: 240, height: 24, ellipsis: true });
}

function drawThanks(doc: Doc, invoice: Invoice, y: number): void {
  doc.font(REGULAR, 10).fillColor(COLOURS.ink).text('Thank you for your order.', MARGIN, y, { width: WIDTH });
  doc.font(REGULAR, 9.5).fillColor(COLOURS.soft);
  doc.text(`This invoice was paid in full on ${invoice.date}; nothing is left to pay.`, MARGIN, y + 16, {
    width: WIDTH,
  });
}

function drawFeet(doc: Doc, invoice: Invoice): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    const y = PAGE_HEIGHT - 46;
    doc
      .moveTo(MARGIN, y - 10)
      .lineTo(RIGHT, y - 10)
      .lineWidth(0.5)
      .stroke(COLOURS.line);
    doc.font(REGULAR, 8.5).fillColor(COLOURS.soft);
    doc.text([seller.name, ...seller.address].join('  ·  '), MARGIN, y, { lineBreak: false });
    doc.text(`${invoice.number}  ·  Page ${page + 1} of ${count}`, MARGIN, y, {
      width: WIDTH,
      align: 'right',
      lineBreak: false,
    });
  }
}
