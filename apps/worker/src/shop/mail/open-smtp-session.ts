import { Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { SmtpError } from './smtp-error.js';

/** The sender and the recipient of a mail, apart from its content. */
export interface MailEnvelope {
  readonly from: string;
  readonly to: string;
}

/** One connection to the mail server, signed in and ready for one mail. */
export interface SmtpSession {
  /**
   * Hands one mail over and resolves with the server's reply once it has taken the mail. `beforeBody` runs when the
   * server has accepted sender and recipient and waits for the content, before a byte of the content is sent: a failure
   * up to there has sent nothing. `beforeBody` has ended when this rejects, and its own error comes first.
   */
  deliver(envelope: MailEnvelope, content: Buffer, beforeBody: () => Promise<void>): Promise<string>;
  /** Whether the server may have the mail, because some of its content was sent. */
  readonly hasBegun: boolean;
  close(): void;
}

/** Shorter than nodemailer's own (2 min, 30 s, 10 min), which outlast an attempt. Parameters of the URL come first. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 };

/**
 * Connects and signs in as `url` says: `smtp://`, `smtps://`, user and password, and nodemailer's own options as
 * parameters (`?requireTLS=true`). Throws `SmtpError`, or the signal's reason: an abort closes the connection at once,
 * at any stage.
 */
export async function openSmtpSession(url: string, signal: AbortSignal): Promise<SmtpSession> {
  signal.throwIfAborted();
  const options: SMTPConnectionOptions & {
    auth?: { user: string; pass: string };
    authMethod?: string;
    forceAuth?: boolean;
  } = {
    ...TIMEOUTS,
    ...(parseConnectionUrl(url) as SMTPConnectionOptions),
    // logged traffic would hold addresses and content
    logger: false,
    debug: false,
    transactionLog: false,
    socketCloseTimeout: 0,
  };
  const connection = new SMTPConnection(options);
  const { failed, stopWatching } = watch(connection, signal);
  const step = <T>(act: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> =>
    Promise.race([new Promise<T>(act), failed]).catch((error: unknown) => {
      const said = SmtpError.from(error);
      const isAnswer = said instanceof SmtpError && said.reply !== null;
      throw signal.aborted && !isAnswer ? signal.reason : said;
    });
  let hasBegun = false;

  async function* bodyOf(content: Buffer, beforeBody: () => Promise<void>): AsyncGenerator<Buffer> {
    // nodemailer must not see these errors, because it changes the errors it gets
    const isReady = await beforeBody().then(
      () => true,
      () => false,
    );
    if (!isReady || signal.aborted || connection.destroyed) throw new Error('There is no content to send.');
    hasBegun = true;
    yield content;
  }

  let isTaken = false;
  const close = (): void => {
    stopWatching();
    // the session ends politely, and nobody waits for that
    if (isTaken && !connection.destroyed) connection.quit();
    else connection.close();
  };
  try {
    await step<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    const { auth: credentials, authMethod: method = false, forceAuth = false } = options;
    if (credentials !== undefined && (connection.allowsAuth || forceAuth)) {
      await step<void>((resolve, reject) =>
        connection.login({ credentials, method }, (error) => (error ? reject(error) : resolve())),
      );
    }
  } catch (error) {
    close();
    throw error;
  }

  return {
    async deliver(envelope, content, beforeBody) {
      let preparing: Promise<void> | undefined;
      // read for the first time when nodemailer pipes it, which is after the server's go-ahead to DATA
      const body = Readable.from(
        bodyOf(content, () => (preparing = beforeBody())),
        { objectMode: false },
      );
      try {
        return await step<string>((resolve, reject) => {
          connection.send({ ...envelope, size: content.length }, body, (error, info) => {
            if (error) return reject(error);
            // a server that speaks LMTP takes the mail and refuses it for its recipient afterwards
            if (info.accepted.length === 0)
              return reject(info.rejectedErrors?.[0] ?? new Error('The recipient was refused.'));
            isTaken = true;
            resolve(info.response);
          });
        });
      } catch (error) {
        close();
        // `beforeBody` may still run when the connection breaks
        await preparing;
        throw error;
      }
    },
    get hasBegun() {
      return hasBegun;
    },
    close,
  };
}

/** `failed` rejects when the connection breaks or the signal aborts, whichever step is being waited for. */
function watch(connection: SMTPConnection, signal: AbortSignal) {
  let onAbort = (): void => {};
  const failed = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.once('end', () =>
      reject(Object.assign(new Error('The mail server closed the connection.'), { code: 'ECONNECTION' })),
    );
    onAbort = () => {
      reject(signal.reason);
      connection.close();
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  // `failed` may reject while nothing waits for it
  failed.catch(() => {});
  return { failed, stopWatching: () => signal.removeEventListener('abort', onAbort) };
}
