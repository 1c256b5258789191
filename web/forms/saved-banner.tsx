import { Banner } from '../ui/banner.tsx';
import classes from './forms.module.css';

/** Says that the server has taken a change, until it is closed or another one is made. */
export const SavedBanner = ({ message, close }: { message: string | null; close: () => void }) =>
  message === null ? null : (
    <div className={classes.saved}>
      <Banner kind="SUCCESS" role="status" close={close}>
        {message}
      </Banner>
    </div>
  );
