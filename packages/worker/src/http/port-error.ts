/** The port of the probes cannot be used. */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly code = 'port_unusable';
}
