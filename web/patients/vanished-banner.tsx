import { REMOVED, vanished } from '../patient/vanished.ts';
import { Banner } from '../ui/banner.tsx';

/** Says why the user is here instead of on the patient's page. */
export const VanishedBanner = () =>
  vanished.use() && (
    <Banner kind="INFO" role="status" close={() => vanished.set(false)}>
      {REMOVED}
    </Banner>
  );
