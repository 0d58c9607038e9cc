/** What one command alone does, apart. */
export { emptyCopy, moveOrigin, readOrigin, reencryptPayloads } from '@duework/operate';
