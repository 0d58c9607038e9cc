import { Navigate } from '@tanstack/react-router';
import { useNavigation } from './navigation.js';
import { NotFound } from './not-found.js';

/** Where the console begins: at the first screen that there is for whoever is signed in. */
export function Begin() {
  const [first] = useNavigation();
  return first === undefined ? <NotFound /> : <Navigate to={first.to} replace />;
}
