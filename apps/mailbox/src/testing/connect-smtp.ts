import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Opens a bare SMTP connection that has said EHLO, for tests of a badly behaved client. */
export async function connectSmtp(port: number) {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();

  /** The next reply: all its lines, or the text "closed". */
  const readReply = async (): Promise<string> => {
    const reply: string[] = [];
    for (;;) {
      const next = await lines.next().catch(() => ({ done: true as const, value: undefined }));
      if (next.done === true) return 'closed';
      reply.push(next.value);
      if (/^\d{3} /.test(next.value)) return reply.join('\n');
    }
  };
  const ask = async (command: string): Promise<string> => {
    socket.write(`${command}\r\n`);
    return readReply();
  };

  await once(socket, 'connect');
  await readReply();
  const greeting = await ask('EHLO client.test');
  return { greeting, ask, readReply, write: (text: string) => socket.write(text), leave: () => socket.destroy() };
}
