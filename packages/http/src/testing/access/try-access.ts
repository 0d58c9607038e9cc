import { SCOPES } from '@duework/operate';
import type { Transactable } from '@duework/queue-core';
import { ACCESS_REQUESTS, type AccessRequest } from './access-requests.js';
import { type DescribedRoute, describedRoutes } from './described-routes.js';
import { type Asker, askerWith, MarkedApi, type Told } from './marked-api.js';
import { MARK, type MarkedType, SENSITIVE_MARK } from './marked-queue.js';

/**
 * What came of a cell. `refused`: 403. `hidden`: 404, as if it was not there. `left out`: the rest is answered without it. `yes`: it is
 * answered, without values of payloads; `payloads`: with them, and `sensitive`: also with those that are sensitive.
 */
export type AccessCell = 'refused' | 'hidden' | 'left out' | 'yes' | 'payloads' | 'sensitive';

/** A route, or one of its ways to be asked, and what comes of it. */
export interface AccessRow {
  readonly route: string;
  readonly note: string;
  readonly scope: string;
  readonly alone: AccessCell;
  readonly withPayloads: AccessCell;
  readonly withSensitive: AccessCell;
  /** With every scope and for types alone: that of the job that it is about, and another one. */
  readonly ofItsType: AccessCell;
  readonly ofAnother: AccessCell;
}

const ALL = [...SCOPES];
const ACCESS_CODES = ['missing_scope', 'limited_to_types'];

/**
 * Asks for every route of the document that needs a scope, with each scope alone, with the values of payloads beside it, and for the
 * type of the job that it is about or another one. Throws for a route that `ACCESS_REQUESTS` does not name, for one that lets another
 * scope in, and for an answer that is an error of its own.
 */
export async function tryAccess(db: Transactable): Promise<AccessRow[]> {
  const api = new MarkedApi(db);
  await api.queue.prepare();
  const rows: AccessRow[] = [];
  for (const route of describedRoutes(await api.readDocument())) {
    const requests = ACCESS_REQUESTS[route.operationId];
    if (requests === undefined)
      throw new Error(
        `access-requests.ts does not say how ${route.method} ${route.path} (${route.operationId}) is asked.`,
      );
    for (const request of requests) rows.push(await tryRoute(api, route, request));
  }
  return rows;
}

async function tryRoute(api: MarkedApi, route: DescribedRoute, request: AccessRequest): Promise<AccessRow> {
  const { scope } = route;
  const type: MarkedType = 'pay';
  const whole = await api.ask(route, request, askerWith(...ALL), type);
  const cell = async (asker: Asker, params?: Told['params']): Promise<AccessCell> =>
    cellOf(await api.ask(route, request, asker, type, params), whole);
  // what is refused changes nothing, so that it may be asked of the same again
  for (const other of SCOPES)
    if (other !== scope && (await cell(askerWith(other), whole.params)) !== 'refused')
      throw new Error(`${route.method} ${route.path} needs ${scope}, and lets ${other} in.`);
  return {
    route: `${route.method} ${route.path}`,
    note: request.note ?? '',
    scope,
    alone: await cell(askerWith(scope)),
    withPayloads: await cell(askerWith(scope, 'payloads')),
    withSensitive: await cell(askerWith(scope, 'payloads', 'sensitive')),
    ofItsType: await cell({ scopes: ALL, types: [type] }),
    ofAnother: await cell({ scopes: ALL, types: ['mail'] }),
  };
}

/** `whole`: what somebody is answered who may do everything. */
function cellOf({ status, code, text, params }: Told, whole: Told): AccessCell {
  if (ACCESS_CODES.includes(code)) return 'refused';
  if (status === 404 && whole.status < 400) return 'hidden';
  if (status >= 400 && whole.status < 400) throw new Error(`It was answered with ${status} ${code}: ${text}`);
  if (text.includes(SENSITIVE_MARK)) return 'sensitive';
  if (text.includes(MARK)) return 'payloads';
  const isListed = Object.keys(params).length === 0 && whole.text.includes('"pay"');
  return isListed && !text.includes('"pay"') ? 'left out' : 'yes';
}
