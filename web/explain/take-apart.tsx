import { Confirm } from '../forms/confirm.tsx';

/** Asks before an automatic match is taken apart. `record`: whose record is separated, in words. */
export const TakeApart = ({
  record,
  act,
  done,
  close,
}: {
  record: string;
  act: () => Promise<unknown>;
  done: () => void;
  close: () => void;
}) => (
  <Confirm title="Take this match apart?" word="Take apart" act={act} done={done} close={close}>
    {record} will be separated from the patient it was matched to. Its pings are retracted for every team that has the
    patient on a list, and new visits won't send any. The possible match then goes to Matches to review, where it can be
    linked again.
  </Confirm>
);
