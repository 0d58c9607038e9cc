import type { RedisOptions } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';

/** Where a Redis is, or some members of a cluster. */
export interface RedisAddress {
  readonly isCluster: boolean;
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly options: Pick<RedisOptions, 'username' | 'password' | 'tls' | 'db' | 'family'>;
}

const URL_PARTS = /^redis(s?)(\+cluster)?:\/\/(?:(.*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/s;
const HOST = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/;

/**
 * Takes the URL of a Redis apart: `redis://USER:PASSWORD@HOST:6379/5`. Characters such as @ and / may stand in the password as
 * they are; a % is percent-encoded.
 *
 * @throws DueworkError `invalid_option`, which never shows the URL: it may hold a password
 */
export function parseRedisUrl(url: string): RedisAddress {
  const [, tls, cluster, credentials = '', hosts = '', path = '', query = ''] =
    URL_PARTS.exec(url.trim()) ??
    refuse('one such as redis://USER:PASSWORD@HOST:6379/0, or of a cluster redis+cluster://HOST:PORT,HOST:PORT');
  const isCluster = cluster !== undefined;
  const asked = new URLSearchParams(query);
  const db = readDatabase(path || asked.get('db') || '0', isCluster);
  const [username, password] = readCredentials(credentials);
  const named = hosts.split(',').map(readHost);
  if (named.length > 1 && !isCluster)
    refuse('one with a single host, or redis+cluster:// for the members of a cluster');
  return {
    isCluster,
    hosts: named,
    options: {
      ...(username ? { username } : {}),
      ...(password ? { password } : {}),
      ...(tls ? { tls: {} } : {}),
      ...(db === 0 ? {} : { db }),
      ...(asked.get('family') === null ? {} : { family: Number(asked.get('family')) }),
    },
  };
}

function readDatabase(text: string, isCluster: boolean): number {
  if (!/^\d{1,5}$/.test(text)) refuse('one that ends with the number of a database, as redis://HOST:6379/5');
  const db = Number(text);
  if (db > 0 && isCluster) refuse('one without the number of a database where it is of a cluster, which has one alone');
  return db;
}

function readCredentials(text: string): string[] {
  const at = text.indexOf(':');
  try {
    return (at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]).map(decodeURIComponent);
  } catch {
    return refuse('one with each % of the password percent-encoded, as %25');
  }
}

function readHost(text: string): { readonly host: string; readonly port: number } {
  const [, address, name, port = '6379'] = HOST.exec(text) ?? refuse('one with each host as HOST:PORT');
  if (Number(port) > 65_535) refuse('one with a port up to 65535');
  return { host: (address ?? name)!, port: Number(port) };
}

function refuse(expected: string): never {
  throw new DueworkError('invalid_option', {
    option: 'the URL of Redis',
    expected,
    value: 'this one, which may hold a password and is not shown',
  });
}
