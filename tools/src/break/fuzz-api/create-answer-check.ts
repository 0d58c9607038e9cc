import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closeSchema } from './close-schema.js';
import type { DescribedRequest } from './described-request.js';
import { type ApiDocument, type JsonSchema, type Operation, readPointer } from './read-operations.js';
import { SEEDED_TYPE } from './seed-jobs.js';
import type { SentRequest } from './send-request.js';
import type { Answer } from './told-values.js';

/** Says what about an answer is not as the document has it; nothing: all of it is. */
export type AnswerCheck = (request: DescribedRequest, sent: SentRequest, answer: Answer) => readonly string[];

/** Which codes credentials lead to; the others lead to none of these. */
const REFUSED = {
  none: 'unauthenticated',
  unknown: 'invalid_credentials',
  expired: 'expired_credentials',
  revoked: 'revoked_credentials',
  other: 'missing_scope',
} as const;
const HIDDEN = /prisma|node_modules|\bpg_|SELECT |INSERT |\/src\/|\\n\s+at /;

/** Makes the check of a document's answers, with a validator of JSON Schema 2020-12 that knows the formats. `endMs`: of the key that ends. */
export function createAnswerCheck(document: ApiDocument, endMs: number): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const compile = (at: string, isClosed: boolean): ValidateFunction => {
    const known = compiled.get(at);
    if (known !== undefined) return known;
    const schema = readPointer(document, at);
    const made = ajv.compile(isClosed ? closeSchema(document, schema) : withReferences(document, schema));
    compiled.set(at, made);
    return made;
  };
  const fits = (at: string, value: unknown, isClosed: boolean): string | null => {
    const validate = compile(at, isClosed);
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: '' });
  };
  return (request, sent, answer) =>
    request.method === null
      ? [
          ...checkStatus(request, answer),
          ...checkContent(request, answer, fits),
          ...checkRight(request, sent, answer, endMs),
          ...checkAccepted(request, sent, answer, fits, ajv),
        ]
      : checkOtherMethod(request, answer);
}

type Fits = (at: string, value: unknown, isClosed: boolean) => string | null;

/** A schema of its own, whose references find the document's. */
const withReferences = ({ components }: ApiDocument, schema: JsonSchema): JsonSchema => ({ ...schema, components });

function checkStatus({ operation }: DescribedRequest, { status, headers }: Answer): string[] {
  const found: string[] = [];
  const declared = operation.answers.get(status);
  if (status >= 500) found.push(`it answers ${status}`);
  if (declared === undefined) found.push(`the document has no ${status} for it`);
  for (const name of declared?.headers ?? [])
    if (!headers.has(name)) found.push(`it answers ${status} without ${name}`);
  if (status === 401 && !headers.has('www-authenticate')) found.push('it answers 401 without WWW-Authenticate');
  return found;
}

function checkContent({ operation }: DescribedRequest, { status, headers, text }: Answer, fits: Fits): string[] {
  const declared = operation.answers.get(status);
  if (declared === undefined) return [];
  const type = (headers.get('content-type') ?? '').split(';')[0]!.trim();
  const { contents, codes } = declared;
  if (contents.size === 0)
    return text === '' ? [] : [`it answers ${status} with a body, of which the document has none`];
  const at = contents.get(type);
  if (at === undefined) return [`it answers ${status} as ${type || 'nothing'}, which the document does not have`];
  if (type === 'text/event-stream') {
    return [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '']) =>
      tell(fits(at, JSON.parse(data), true), 'its event'),
    );
  }
  if (!type.includes('json')) return [];
  const body = readJson(text);
  if (body === undefined) return [`its body is not JSON: ${text.slice(0, 100)}`];
  const found = tell(fits(at, body, true), `its body of ${status}`);
  if (status < 400) return found;
  const { code } = body as { code: string };
  if (!codes.has(code)) found.push(`the document does not have ${code} among the codes of ${status}`);
  if (HIDDEN.test(text)) found.push('it tells what is behind it');
  return found;
}

const tell = (fault: string | null, what: string): string[] =>
  fault === null ? [] : [`${what} is not as declared: ${fault}`];

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether it let in whom it may, and nobody else. */
function checkRight(
  { operation, caller }: DescribedRequest,
  { sentMs }: SentRequest,
  { status, text }: Answer,
  endMs: number,
): string[] {
  const isRefused = status === 401 || status === 403;
  if (operation.scope === null) return isRefused ? ['it is for everybody, and refuses a caller'] : [];
  if (caller === 'limited') return status === 401 ? ['it refuses a caller who has a key'] : checkLimited(status, text);
  if (caller === 'expiring') {
    const { code } = (readJson(text) ?? {}) as { code?: string };
    if (sentMs > endMs)
      return code === 'expired_credentials' ? [] : [`it answers ${status} ${code} behind the end of a key`];
    // one that was sent before may be looked at behind it
    return isRefused && Date.now() < endMs ? ['it refuses a caller whose key has not ended'] : [];
  }
  if (caller === 'all') return isRefused ? ['it refuses a caller who may do everything'] : [];
  // a filter or a payload may ask for more than the route itself
  if (caller === 'right') return status === 401 ? ['it refuses a caller who has its scope'] : [];
  const { code } = (readJson(text) ?? {}) as { code?: string };
  return code === REFUSED[caller] ? [] : [`it answers ${status} ${code} to a caller with ${caller} credentials`];
}

/** Whether a caller that is limited to types is told of a job of another one: every seeded job is of another. */
function checkLimited(status: number, text: string): string[] {
  return status < 300 && text.includes(`"${SEEDED_TYPE}"`) ? [`it tells a limited caller of a ${SEEDED_TYPE}`] : [];
}

/** Whether it took what the document forbids. What the document permits may be refused, with a reason that no schema can say. */
function checkAccepted(
  { operation }: DescribedRequest,
  { query, body }: SentRequest,
  { status }: Answer,
  fits: Fits,
  ajv: Ajv2020,
): string[] {
  if (status >= 400) return [];
  const wrong =
    operation.scope === null ? [] : query.flatMap((pair, index) => wrongIn(operation, query, pair, index, ajv));
  const sent = body === undefined ? undefined : readJson(body);
  if (operation.body !== null && sent === undefined && operation.body.isRequired) wrong.push('there is no body');
  if (operation.body !== null && sent !== undefined)
    wrong.push(...tell(fits(operation.body.at, sent, false), 'the body'));
  return wrong.map((what) => `it takes what the document forbids: ${what}`);
}

/** What is wrong with one pair of a query. */
function wrongIn(
  { parameters }: Operation,
  query: SentRequest['query'],
  [name, value]: SentRequest['query'][number],
  index: number,
  ajv: Ajv2020,
): string[] {
  // a pair without a name is nothing to whoever reads forms
  if (name === '') return [];
  const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
  if (parameter === undefined) return [`the query has ${JSON.stringify(name)}, which is no parameter`];
  if (query.findIndex(([other]) => other === name) !== index) return [`${name} is given twice`];
  return ajv.validate(parameter.schema, toValue(parameter.schema, value)) ? [] : [`${name} is not as declared`];
}

/** A parameter is text; its schema may speak of numbers. */
function toValue({ type }: JsonSchema, text: string): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** A method that the route does not have. */
function checkOtherMethod({ operation, method }: DescribedRequest, { status, headers, text }: Answer): string[] {
  if (status >= 500) return [`it answers ${status} to ${method}`];
  if (status === 405 && !headers.has('allow')) return [`it answers 405 to ${method} without Allow`];
  if (status === 405 || method !== 'HEAD' || operation.method !== 'GET') return [];
  return text === '' ? [] : ['it answers HEAD with a body'];
}
