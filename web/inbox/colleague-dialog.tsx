import type { Colleague } from '#contract/worklist.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChooseColleague } from './choose-colleague.tsx';

/** Asks whose stays to list. */
export const ColleagueDialog = ({ choose, close }: { choose: (colleague: Colleague) => void; close: () => void }) => (
  <Dialog title="Show a colleague’s pings" close={close}>
    <ChooseColleague label="Colleague" withSelf={false} clear={null} choose={choose} cancel={close} />
  </Dialog>
);
