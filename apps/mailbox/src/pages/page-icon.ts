/** An envelope, for the browser's tab and the head of the page. */
export const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="2" y="6" width="28" height="20" rx="4" fill="#2f6f4f"/>
<path d="M6 11l10 7.5L26 11" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;
