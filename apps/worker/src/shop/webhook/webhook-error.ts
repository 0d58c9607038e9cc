/**
 * A failed delivery that may succeed later. Its message never has a part of the address, unlike the network's own
 * messages.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    /** Errors are grouped by it: `ECONNREFUSED`, `webhook_timeout`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** Converts an error of the network. */
  static from(error: unknown): WebhookError {
    if (error instanceof WebhookError) return error;
    const { code } = (error ?? {}) as { code?: unknown };
    // a firewall's EPERM says nothing about the job, unlike a file's
    const word = typeof code === 'string' && code !== 'EPERM' && code !== 'EACCES' ? code : 'webhook_failed';
    return new WebhookError(word, `The event could not be sent: ${word}.`);
  }
}
