import { texts } from '../../texts/texts.js';

/** Says that what is shown changes by itself. */
export function LiveMark() {
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap text-succeeded">
      <span aria-hidden="true" className="size-1.5 rounded-full bg-succeeded" />
      {texts.states.live}
    </span>
  );
}
