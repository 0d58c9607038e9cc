/** How bad something is: an octagon, a triangle, a circle. */
export function SeverityShape({ severity }: { readonly severity: 'error' | 'warning' | 'told' | 'well' }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${COLOURS[severity]}`}
    >
      {SHAPES[severity]}
    </svg>
  );
}

const COLOURS = { error: 'text-dead', warning: 'text-failed', told: 'text-queued', well: 'text-succeeded' } as const;

const SHAPES = {
  error: (
    <>
      <path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z" fill="currentColor" />
      <path d="M8 5v3.6M8 11h.01" stroke="var(--surface)" strokeWidth="1.8" />
    </>
  ),
  warning: <path d="M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.4h.01" />,
  told: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.5 5.8v4.4M9.5 5.8v4.4" />
    </>
  ),
  well: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m5.4 8.2 1.8 1.8 3.4-3.8" />
    </>
  ),
} as const;
