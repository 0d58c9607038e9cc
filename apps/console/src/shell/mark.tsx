/** Two due times that are over, and the one that is due. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="7" fill="#1f2a44" />
      <path d="M8 9v14M14 9v14" stroke="#8fa1cc" strokeWidth="3" strokeLinecap="round" />
      <circle cx="22.5" cy="16" r="4.5" fill="#f2b544" />
    </svg>
  );
}
