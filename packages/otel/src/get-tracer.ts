import { trace, type Tracer } from '@opentelemetry/api';

export const SCOPE = '@duework/otel';

/** Asked for anew each time, because a program may register its SDK after this package was loaded. */
export const getTracer = (): Tracer => trace.getTracer(SCOPE);
