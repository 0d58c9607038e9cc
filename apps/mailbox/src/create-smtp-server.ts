import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Logger } from 'pino';
import type { Mailbox } from './create-mailbox.js';
import type { Refusal } from './refusal/create-refusal.js';

/** 10 MiB, announced with SIZE. */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;

/**
 * Makes the SMTP server of a mailbox: no sign-in, no TLS, every recipient is taken but those at `.invalid`, where nobody
 * can be (RFC 2606): they get 550, for good. It answers 250 only when the mail is on disk, 552 to a mail over the limit,
 * 554 to one that cannot be decoded, and 451 (send it again) when the disk refuses, and for as long as `refusal` says.
 * The caller listens on it, and stops it with `stopSmtpServer`.
 */
export function createSmtpServer(
  mailbox: Pick<Mailbox, 'accept'>,
  refusal: Pick<Refusal, 'until'>,
  log: Logger,
): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'Duework mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    // A lookup would ask a name server about every client, and every client is this computer.
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    onMailFrom(_address, _session, done) {
      if (!server.server.listening) return done(refuse(421, 'The mailbox is stopping'));
      done(
        refusal.until() === null ? null : refuse(451, 'The mail server takes no mails for a while, try again later'),
      );
    },
    onRcptTo({ address }, _session, done) {
      done(address.toLowerCase().endsWith('.invalid') ? refuse(550, `There is no mailbox ${address}`) : null);
    },
    onData(stream, session, done) {
      keepMail(mailbox, stream, session).then(
        (id) => done(null, `Kept as ${id}`),
        (error: unknown) => done(toRefusal(error, log)),
      );
    },
  });
  // A client that breaks its connection is no fault of the mailbox.
  server.on('error', (error) => log.debug({ reason: error.message }, 'connection.failed'));
  return server;
}

async function keepMail(
  mailbox: Pick<Mailbox, 'accept'>,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // A mail over the limit is read to its end, because its client reads no answer before, but it is not stored.
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw refuse(552, `The mail is larger than ${MAX_MAIL_BYTES} bytes`);
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  const mail = await mailbox.accept({ from, to }, Buffer.concat(chunks));
  if (mail === null) throw refuse(554, 'The mail cannot be decoded');
  return mail.id;
}

type SmtpRefusal = Error & { responseCode: number };

function refuse(responseCode: number, message: string): SmtpRefusal {
  return Object.assign(new Error(message), { responseCode });
}

function toRefusal(error: unknown, log: Logger): SmtpRefusal {
  const { message, responseCode, code } = error as SmtpRefusal & NodeJS.ErrnoException;
  if (responseCode !== undefined) return error as SmtpRefusal;
  // The client left in the middle of the mail, so nobody reads the answer.
  if (code === 'ECONNECTION') return refuse(451, message);
  log.error({ reason: message }, 'mail.failed');
  return refuse(451, 'The mail could not be kept, send it again');
}
