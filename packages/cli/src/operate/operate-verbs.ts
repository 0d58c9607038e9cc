/** What one command alone does, apart. */
export { emptyCopy, holdMaybeDone, moveOrigin, readMaybeDone, readOrigin, reencryptPayloads } from '@duework/operate';
