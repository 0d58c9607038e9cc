/**
 * `duework/objects`: payloads, results and files that are too large for a row, in a store of objects: a folder, a table, or
 * a bucket of S3's protocol.
 */
export {
  folderStore,
  openObject,
  putObject,
  s3Store,
  setOffload,
  pruneObjects,
  tableStore,
  type ListedObject,
  type ObjectCall,
  type ObjectRef,
  type ObjectSource,
  type ObjectStore,
  type OffloadOptions,
  type PutOptions,
  type S3Client,
  type S3StoreOptions,
  type Size,
  type PruneObjectsOptions,
} from '@duework/queue-core/objects';
