import type { ReactNode } from 'react';

/** Icons are drawn on 16 × 16 with lines of 1.5, and say nothing to a screen reader: the text beside them does. */
function icon(content: ReactNode) {
  return function Icon({ className }: { readonly className?: string }) {
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
        className={className}
      >
        {content}
      </svg>
    );
  };
}

export const OverviewIcon = icon(<path d="M2 8.5h2.8L6.6 4l2.8 8 1.8-3.5H14" />);
export const QueuesIcon = icon(<path d="M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z" />);
export const FlowIcon = icon(<path d="M2.2 3h11.6L9.4 8.2v3.6l-2.8 1.6V8.2z" />);
export const WorkersIcon = icon(
  <>
    <rect x="4" y="4" width="8" height="8" rx="1.5" />
    <path d="M6.5 1.8V4M9.5 1.8V4M6.5 12v2.2M9.5 12v2.2M1.8 6.5H4M1.8 9.5H4M12 6.5h2.2M12 9.5h2.2" />
  </>,
);
export const AlertsIcon = icon(<path d="M3 11.5h10l-1.2-1.8V7a3.8 3.8 0 0 0-7.6 0v2.7zM6.6 13.6h2.8" />);
export const JobsIcon = icon(<path d="M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5" />);
export const FailuresIcon = icon(<path d="M8 2.5 14 13H2zM8 6.5v3M8 11.4h.01" />);
export const WorkflowsIcon = icon(
  <>
    <rect x="1.8" y="6" width="4" height="4" rx="1" />
    <rect x="10.2" y="2" width="4" height="4" rx="1" />
    <rect x="10.2" y="10" width="4" height="4" rx="1" />
    <path d="M5.8 8h2.2M10.2 4H9a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h1.2" />
  </>,
);
export const BatchesIcon = icon(<path d="M2 5.5 8 2.5l6 3-6 3zM2 8.2l6 3 6-3M2 10.8l6 3 6-3" />);
export const SchedulesIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 4.8V8l2.2 1.6" />
  </>,
);
export const ContractsIcon = icon(<path d="M4 2h5.5L12.5 5v9H4zM9 2v3.5h3.5M6.2 8.2h4M6.2 10.8h4" />);
export const AuditIcon = icon(
  <>
    <circle cx="6" cy="5" r="2.6" />
    <path d="M1.5 13.2c.4-2.7 2.1-4.2 4.5-4.2s4.1 1.5 4.5 4.2M11.2 4h3.3M11.2 7h3.3M12.4 10h2.1" />
  </>,
);
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </>,
);
export const AwayLinkIcon = icon(<path d="M6.5 3.5h-3v9h9v-3M9.5 2.5h4v4M13 3 7.5 8.5" />);
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const ChevronIcon = icon(<path d="m6 3.5 4.5 4.5L6 12.5" />);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.5v-.5a.9.9 0 0 0-.9-.9H3.4a.9.9 0 0 0-.9.9v6.2c0 .5.4.9.9.9h.5" />
  </>,
);
export const CheckIcon = icon(<path d="m3 8.5 3.2 3.2L13 4.8" />);
export const ColumnsIcon = icon(
  <>
    <rect x="2.2" y="3" width="11.6" height="10" rx="1.5" />
    <path d="M6.2 3v10M10 3v10" />
  </>,
);
export const StarIcon = icon(<path d="M4 2.5h8v11l-4-3-4 3z" />);
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const MoreIcon = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />);
export const SunIcon = icon(
  <>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1" />
  </>,
);
export const MoonIcon = icon(<path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z" />);
export const KeyboardIcon = icon(
  <>
    <rect x="1.8" y="4" width="12.4" height="8" rx="1.5" />
    <path d="M4.5 7h.01M7 7h.01M9.5 7h.01M11.8 7h.01M5 9.5h6" />
  </>,
);
export const AwayIcon = icon(<path d="M2.5 6.2a8 8 0 0 1 11 0M4.8 8.8a4.6 4.6 0 0 1 6.4 0M8 11.6h.01M3 2.8l10 10.4" />);
