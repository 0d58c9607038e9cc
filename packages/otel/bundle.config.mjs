/** `@duework/otel` for users: the API of OpenTelemetry is theirs, all else is inside. */
export default { from: 'dist', entries: { index: 'index' } };
