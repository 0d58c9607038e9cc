import { findLostNumber } from '@duework/sql';
import { ApiError } from '../../api-error.js';
import type { ApiContext } from '../../api.js';
import { findExcess, type JsonBounds } from './find-excess.js';
import { toPointer } from './list-faults.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Ten times the levels of a payload; 200 fields, or 2,000 numbers, for each of the thousand jobs of a batch. */
const BOUNDS: JsonBounds = { levels: 1_000, parts: 200_000, values: 2_000_000 };
const EXCESS = {
  levels: `It is nested more than ${BOUNDS.levels} levels deep`,
  parts: `It has more than ${BOUNDS.parts} objects, arrays and fields`,
  values: `It has more than ${BOUNDS.values} values`,
} as const;

/**
 * The JSON value in the body of a request. Throws `empty_body` (unless `ifEmpty` says what an empty body means),
 * `unsupported_media_type`, `malformed_json`, `invalid_body` (it is nested too deep or has too many parts
 * to be read, or has a whole number that JavaScript would change), or `incomplete_body`
 * when the client went away while sending it.
 */
export async function readJsonBody(c: ApiContext, ifEmpty?: unknown): Promise<unknown> {
  const bytes = await c.req.arrayBuffer().catch((cause: unknown) => {
    throw new ApiError('incomplete_body', 'The connection ended before the body did.', { cause });
  });
  if (bytes.byteLength === 0) {
    if (ifEmpty !== undefined) return ifEmpty;
    throw new ApiError('empty_body', 'This request needs a JSON body.');
  }
  checkMediaType(c);
  const excess = findExcess(new Uint8Array(bytes), BOUNDS);
  if (excess !== null)
    throw new ApiError('invalid_body', 'The request body is not valid; see errors.', {
      errors: [{ pointer: '', message: EXCESS[excess] }],
    });
  const [text, value] = parse(bytes);
  const lost = findLostNumber(text);
  if (lost !== null)
    throw new ApiError('invalid_body', 'The request body is not valid; see errors.', {
      errors: [{ pointer: toPointer(lost), message: 'It is a number of more digits than are kept; send it as text' }],
    });
  return value;
}

function parse(bytes: ArrayBuffer): [text: string, value: unknown] {
  try {
    const text = utf8.decode(bytes);
    return [text, JSON.parse(text)];
  } catch (cause) {
    throw new ApiError('malformed_json', describe(cause), { cause });
  }
}

/** Says where the text stops being JSON, but does not quote it: it may hold a secret of the client. */
function describe(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return 'The body is not UTF-8.';
  const position = /at position \d+/.exec(cause.message)?.[0];
  return position === undefined ? 'The body is not JSON.' : `The body is not JSON: there is a mistake ${position}.`;
}

function checkMediaType(c: ApiContext): void {
  const given = c.req.header('content-type');
  const [essence, ...parameters] = (given ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (essence === 'application/json' && (charset === undefined || charset === 'utf-8') && encoding === 'identity')
    return;
  const detail =
    given === undefined
      ? 'The request has no Content-Type; send Content-Type: application/json.'
      : encoding !== 'identity'
        ? 'Send the body without a Content-Encoding.'
        : 'Send Content-Type: application/json, in UTF-8.';
  throw new ApiError('unsupported_media_type', detail, { headers: { Accept: 'application/json' } });
}
