/** A logger of pino's shape. */
export type HttpLog = Record<'debug' | 'info' | 'warn' | 'error', (facts: object, message: string) => void>;
