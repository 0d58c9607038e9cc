import { expect, test } from '@jest/globals';
import { DatabaseError } from './database-error.js';
import { describeDatabaseError } from './describe-database-error.js';

const url = 'postgres://ada:s3cret@db.example.com:6432/shop';
const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });
/** The error as Prisma throws it: the driver's error is two levels down, and its message has several lines. */
const wrapped = (cause: object): Error =>
  Object.assign(new Error('\nInvalid `prisma.$queryRaw()` invocation:\n\n\nRaw query failed.'), {
    code: 'P2010',
    meta: { driverAdapterError: { name: 'DriverAdapterError', cause } },
  });

test.each<[string, unknown, string, RegExp]>([
  ['a refused connection', coded('ECONNREFUSED', 'connect ECONNREFUSED'), 'database_unreachable', /nothing answers/],
  [
    'a host with several addresses, none of which answers',
    new AggregateError([coded('ECONNREFUSED', 'connect ::1'), coded('ECONNREFUSED', 'connect 127.0.0.1')]),
    'database_unreachable',
    /nothing answers/,
  ],
  ['an unknown host', coded('ENOTFOUND', 'getaddrinfo ENOTFOUND'), 'database_unreachable', /host name is not known/],
  ['no answer in time', new Error('timeout exceeded when trying to connect'), 'database_unreachable', /in time/],
  ['a closed connection', new Error('Connection terminated unexpectedly'), 'database_unreachable', /closed/],
  [
    'TLS that the server does not speak',
    wrapped({ kind: 'TlsConnectionError', reason: 'no SSL' }),
    'database_unreachable',
    /TLS.*sslmode/,
  ],
  [
    'a server that is starting',
    coded('57P03', 'the database system is starting up'),
    'database_unreachable',
    /try again/,
  ],
  [
    'a database that takes no connections',
    coded('55000', 'database "shop" is not currently accepting connections'),
    'database_unreachable',
    /takes no connections/,
  ],
  [
    'too many connections',
    wrapped({ kind: 'TooManyConnections', originalCode: '53300', originalMessage: 'too many clients' }),
    'database_unreachable',
    /max_connections/,
  ],
  [
    'a wrong password',
    coded('28P01', 'password authentication failed'),
    'database_auth_failed',
    /refuses the password of "ada"/,
  ],
  [
    'a missing password',
    new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    'database_auth_failed',
    /has none/,
  ],
  [
    'a role that may not log in',
    coded('28000', 'role "ada" is not permitted to log in'),
    'database_auth_failed',
    /pg_hba/,
  ],
  [
    'a database that is not there',
    wrapped({ kind: 'DatabaseDoesNotExist', originalCode: '3D000', originalMessage: 'no' }),
    'database_not_found',
    /CREATE DATABASE "shop"/,
  ],
  [
    'a missing privilege',
    coded('42501', 'permission denied for schema duework'),
    'database_permission_denied',
    /"ada" may not do this.*npx duework roles --grant duework_operator --to ada\./,
  ],
  [
    'a proxy that takes no options',
    coded('0A000', "Feature not supported: RDS Proxy currently doesn't support command-line options."),
    'database_unreachable',
    /add \?pgbouncer=true/,
  ],
  [
    'a pooler that takes no options',
    coded('08P01', 'unsupported startup parameter in options: enable_seqscan'),
    'database_unreachable',
    /add \?pgbouncer=true/,
  ],
  [
    'a pooler without transactions',
    coded('08P01', 'transaction blocks not allowed in statement pooling mode'),
    'database_unreachable',
    /pool_mode to transaction/,
  ],
  [
    'a session that was idle for too long',
    coded('57P05', 'terminating connection due to idle-session timeout'),
    'database_unreachable',
    /idle_session_timeout/,
  ],
  ['anything else', coded('XX000', 'out of luck'), 'database_query_failed', /out of luck \(XX000\).*DEBUG=1/],
  ['no error at all', 'boom', 'database_query_failed', /boom/],
])('%s becomes one line with its fix, and without the password', (_, error, code, line) => {
  const described = describeDatabaseError(error, url);
  expect(described.code).toBe(code);
  expect(described.message).toMatch(line);
  expect(described.message).toContain('db.example.com:6432/shop');
  expect(described.message).not.toMatch(/s3cret|\n/);
});

test('a server that does not know what every session begins with is too old', () => {
  const error = coded('42704', 'unrecognized configuration parameter "idle_session_timeout"');
  expect(describeDatabaseError(error, url)).toMatchObject({
    code: 'database_version_unsupported',
    message: 'This PostgreSQL is older than 14. Use PostgreSQL 14 or newer.',
  });
});

test('an error that is already a DatabaseError is returned unchanged', () => {
  const error = new DatabaseError('database_not_utc', { problem: 'Wrong zone.', fix: 'Set it.' });
  expect(describeDatabaseError(error, url)).toBe(error);
});
