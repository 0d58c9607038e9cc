/** A delivery that may succeed later. Its message has no part of the address in it, which the network's own often has. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    /** To group by: `ECONNREFUSED`, `webhook_timeout`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** From whatever the network says. */
  static from(error: unknown): WebhookError {
    if (error instanceof WebhookError) return error;
    const { code } = (error ?? {}) as { code?: unknown };
    // a firewall's EPERM says nothing about the job, unlike a file's
    const word = typeof code === 'string' && code !== 'EPERM' && code !== 'EACCES' ? code : 'webhook_failed';
    return new WebhookError(word, `The event could not be sent: ${word}.`);
  }
}
