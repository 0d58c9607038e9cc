export interface Envelope {
  /** Empty for the null sender, as in a bounce. */
  readonly from: string;
  readonly to: readonly string[];
}

/** A control character in an address could end the header line and start a forged one. */
// oxlint-disable-next-line no-control-regex
const clean = (address: string): string => address.replace(/[\u0000-\u001f\u007f]/g, '');

/**
 * Writes the SMTP envelope as header lines that go before the mail, as a delivering server does. The headers of a
 * mail do not name its blind copies; without these lines a restart would forget who received it.
 */
export function writeEnvelope({ from, to }: Envelope): Buffer {
  const recipients = to.map((address) => `<${clean(address)}>`).join(',\r\n ');
  return Buffer.from(`Return-Path: <${clean(from)}>\r\nX-Envelope-To: ${recipients}\r\n`);
}
