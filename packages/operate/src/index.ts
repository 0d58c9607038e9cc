export { reencryptPayloads, type Reencryption, type ReencryptOptions } from './reencrypt/reencrypt-payloads.js';
