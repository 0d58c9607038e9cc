import type { NodemailerError } from 'nodemailer/lib/errors';

/**
 * Why a mail was not sent, or may not have been. `code` is `smtp_550` for a reply, else the network's own:
 * `ECONNREFUSED`.
 */
export class SmtpError extends Error {
  override readonly name = 'SmtpError';

  constructor(
    readonly code: string,
    message: string,
    /** The reply's number; null: the server did not reply. */
    readonly reply: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** 5yz: the server would refuse the same mail again (RFC 5321, 4.2.1). */
  get isPermanent(): boolean {
    return this.reply !== null && this.reply >= 500;
  }

  /** Converts nodemailer's errors; an error of another kind is returned unchanged. */
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
