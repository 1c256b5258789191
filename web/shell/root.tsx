import { loadChunk } from '../errors/load-chunk.ts';
import { Outlet } from '../router/outlet.tsx';
import { useIdentityQuestion } from '../session/identity.ts';
import { useLoaded } from '../ui/use-loaded.ts';

const load = () =>
  loadChunk('confirm-identity', () => import('./confirm-identity.tsx')).then((file) => file.ConfirmIdentity);

/** Every page, and above it the question who is at the keyboard. */
export const Root = () => {
  const answer = useIdentityQuestion();
  const ConfirmIdentity = useLoaded(load, answer !== null, false);
  return (
    <>
      <Outlet />
      {answer && ConfirmIdentity && <ConfirmIdentity answer={answer} />}
    </>
  );
};
