/** `@duework/queue-core/objects`: large payloads, results and files in a store. Who has none loads none of it. */
export { setOffload, type OffloadOptions, type Size } from './objects/current-offload.js';
export { folderStore } from './objects/folder-store.js';
export type { ListedObject, ObjectCall, ObjectRef, ObjectStore } from './objects/object-store.js';
export { openObject } from './objects/open-object.js';
export { putObject, type ObjectSource, type PutOptions } from './objects/put-object.js';
export { s3Store, type S3Client, type S3StoreOptions } from './objects/s3-store.js';
export { pruneObjects, type PruneObjectsOptions } from './objects/prune-objects.js';
export { tableStore } from './objects/table-store.js';
