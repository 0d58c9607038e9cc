import type { NodemailerError } from 'nodemailer/lib/errors';

/** Why a mail did not leave, or may not have left. `code` is `smtp_550` for a reply, else the network's own: `ECONNREFUSED`. */
export class SmtpError extends Error {
  override readonly name = 'SmtpError';

  constructor(
    readonly code: string,
    message: string,
    /** The reply's number, where the server replied. */
    readonly reply: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** 5yz: the same mail would be refused again (RFC 5321, 4.2.1). */
  get isPermanent(): boolean {
    return this.reply !== null && this.reply >= 500;
  }

  /** From whatever nodemailer says; an error of another kind comes back as it is. */
  static from(error: unknown): unknown {
    const {
      responseCode = 0,
      originalCode,
      code,
      message,
    } = (error ?? {}) as Partial<NodemailerError & { originalCode: string }>;
    const reply = responseCode >= 400 && responseCode < 600 ? responseCode : null;
    if (message === undefined || (reply === null && code === undefined)) return error;
    return new SmtpError(reply === null ? (originalCode ?? code ?? 'smtp') : `smtp_${reply}`, message, reply, {
      cause: error,
    });
  }
}
