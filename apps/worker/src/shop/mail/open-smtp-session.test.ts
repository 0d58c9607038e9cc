import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { openSmtpSession } from './open-smtp-session.js';

const never = new AbortController().signal;

async function withServer(options: SMTPServerOptions, act: (port: number) => Promise<void>): Promise<void> {
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _session, done) => void stream.resume().on('end', () => done(null, 'taken')),
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await act((server.server.address() as AddressInfo).port).finally(
    () => new Promise<void>((resolve) => server.close(resolve)),
  );
}

const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
  username === 'shop@example.com' && password === 'p@ss:word'
    ? done(null, { user: username })
    : done(Object.assign(new Error('no'), { responseCode: 535 }));

async function deliver(url: string): Promise<string> {
  const session = await openSmtpSession(url, never);
  const reply = await session.deliver(
    { from: 'a@example.com', to: 'b@example.com' },
    Buffer.from('Subject: x\r\n\r\nhello\r\n'),
    async () => {},
  );
  expect(session.hasBegun).toBe(true);
  session.close();
  return reply;
}

test('user and password of the URL sign in, over TLS from the start or over STARTTLS', async () => {
  const credentials = 'shop%40example.com:p%40ss%3Aword';
  await withServer({ secure: true, onAuth }, async (port) => {
    expect(await deliver(`smtps://${credentials}@127.0.0.1:${port}?tls.rejectUnauthorized=false`)).toContain('250');
  });
  await withServer({ onAuth }, async (port) => {
    expect(
      await deliver(`smtp://${credentials}@127.0.0.1:${port}?tls.rejectUnauthorized=false&requireTLS=true`),
    ).toContain('250');
  });
});

test('a wrong password is refused for good, and a certificate that nobody signed is not trusted', async () => {
  await withServer({ secure: true, onAuth }, async (port) => {
    await expect(
      openSmtpSession(`smtps://shop:wrong@127.0.0.1:${port}?tls.rejectUnauthorized=false`, never),
    ).rejects.toMatchObject({ code: 'smtp_535', isPermanent: true });
    await expect(openSmtpSession(`smtps://127.0.0.1:${port}`, never)).rejects.toMatchObject({
      name: 'SmtpError',
      isPermanent: false,
    });
  });
});

test('the timeouts in the URL are kept', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  await expect(openSmtpSession(`smtp://127.0.0.1:${port}?greetingTimeout=50`, never)).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  });

  const controller = new AbortController();
  silent.once('connection', () => controller.abort(new Error('stop')));
  await expect(openSmtpSession(`smtp://127.0.0.1:${port}`, controller.signal)).rejects.toThrow('stop');
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('an abort before the content sends no byte of the content', async () => {
  let received = 0;
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) => {
    stream.on('data', (chunk: Buffer) => (received += chunk.length));
    stream.on('error', () => {});
    stream.on('end', () => done());
  };
  await withServer({ authOptional: true, onData }, async (port) => {
    const controller = new AbortController();
    const session = await openSmtpSession(`smtp://127.0.0.1:${port}?ignoreTLS=true`, controller.signal);
    const delivered = session.deliver({ from: 'a@example.com', to: 'b@example.com' }, Buffer.from('x'), async () =>
      controller.abort(new Error('stop')),
    );
    await expect(delivered).rejects.toThrow('stop');
    expect(session.hasBegun).toBe(false);
    session.close();
  });
  expect(received).toBe(0);
});

test('an aborted delivery rejects once its callback before the content has ended', async () => {
  await withServer({ authOptional: true }, async (port) => {
    const controller = new AbortController();
    const session = await openSmtpSession(`smtp://127.0.0.1:${port}?ignoreTLS=true`, controller.signal);
    const steps: string[] = [];
    const prepare = async (): Promise<void> => {
      controller.abort(new Error('stop'));
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      steps.push('prepared');
    };
    const delivered = session.deliver({ from: 'a@example.com', to: 'b@example.com' }, Buffer.from('x'), prepare);
    await expect(delivered.finally(() => steps.push('rejected'))).rejects.toThrow('stop');
    expect(steps).toEqual(['prepared', 'rejected']);
    expect(session.hasBegun).toBe(false);
  });
});

test('an error in the callback before the content is the error of the delivery', async () => {
  await withServer({ authOptional: true }, async (port) => {
    const session = await openSmtpSession(`smtp://127.0.0.1:${port}?ignoreTLS=true`, never);
    const failure = new Error('not now');
    await expect(
      session.deliver({ from: 'a@example.com', to: 'b@example.com' }, Buffer.from('x'), () => Promise.reject(failure)),
    ).rejects.toBe(failure);
    expect(session.hasBegun).toBe(false);
  });
});
