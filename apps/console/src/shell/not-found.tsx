import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { buttonLook } from '../ui/inputs/button.js';
import { StateBox } from '../ui/problem-state.js';

export function NotFound() {
  return (
    <StateBox title={texts.notFound.title}>
      <Link to="/jobs" className={`${buttonLook()} mt-2`}>
        {texts.notFound.action}
      </Link>
    </StateBox>
  );
}
