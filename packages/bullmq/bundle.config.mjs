/** `@duework/bullmq` for users: BullMQ and ioredis are theirs, all else is inside. */
export default { from: 'dist', entries: { index: 'index', outbox: 'outbox/index' } };
