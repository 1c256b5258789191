import { Banner } from '../ui/banner.tsx';
import classes from './forms.module.css';

/** Says that a change was saved, until it is closed or the next change. */
export const SavedBanner = ({ message, close }: { message: string | null; close: () => void }) =>
  message === null ? null : (
    <div className={classes.saved}>
      <Banner kind="SUCCESS" role="status" close={close}>
        {message}
      </Banner>
    </div>
  );
