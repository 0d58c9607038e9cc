/** `duework/isolated`: what the module of an isolated handler needs, without the engine, which each attempt would load. */
export * from '@duework/isolation/handler';
