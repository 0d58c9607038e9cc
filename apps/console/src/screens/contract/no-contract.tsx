import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/texts.js';
import { buttonLook } from '../../ui/inputs/button.js';
import { StateBox } from '../../ui/problem-state.js';

/** In the place of a type that is not registered. */
export function NoContract() {
  return (
    <StateBox title={texts.contracts.gone}>
      <p>{texts.contracts.goneHint}</p>
      <Link to="/contracts" className={`${buttonLook()} mt-3`}>
        {texts.contracts.all}
      </Link>
    </StateBox>
  );
}
