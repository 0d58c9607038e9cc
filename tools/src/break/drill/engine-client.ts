/** The worker's `ENGINE_CLIENT`. */
export type EngineClient = 'prisma' | 'pg';
