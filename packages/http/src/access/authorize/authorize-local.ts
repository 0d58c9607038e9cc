import type { Authorize } from './authorize.js';
import { SCOPES } from '../principal.js';

/** The names under which this machine is called; any other in Host is a page that was given this address (DNS rebinding). */
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * For development: a request from this machine that shows no credentials may do everything. One that a browser sends for
 * a page of another origin may not, nor one that came through a proxy.
 */
export function authorizeLocal(): Authorize {
  return async ({ headers }, { address, isLocal }) => {
    if (!isLocal || headers.has('authorization')) return null;
    const host = headers.get('host');
    if (host !== null && !LOCAL_HOST.test(host)) return null;
    const origin = headers.get('origin');
    if (origin !== null && origin !== `http://${host}`) return null;
    if (headers.get('sec-fetch-site') === 'cross-site' || headers.get('sec-fetch-site') === 'same-site') return null;
    return { id: 'local', name: 'local', kind: 'local', scopes: SCOPES, types: null, from: address };
  };
}
