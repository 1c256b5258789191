import { Outlet } from '../router/outlet.tsx';
import { useIdentityQuestion } from '../session/identity.ts';
import { useLoaded } from '../ui/use-loaded.ts';

const load = async () => (await import('./later-parts.ts')).loadConfirmIdentity();

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
