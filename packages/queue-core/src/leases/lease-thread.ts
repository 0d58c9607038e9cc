/** The file that the lease thread is started with. */

// pg asks a runtime without `navigator`, as Node 20 is, for a `Response`, and all that fetches would be loaded: 20 ms, 5 MB
Reflect.deleteProperty(globalThis, 'Response');
void import('./keep-leases.js');
