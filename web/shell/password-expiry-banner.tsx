import { Anchor } from '@mantine/core';
import { Link } from '../router/link.tsx';
import { passwordExpiry } from '../session/password-expiry.ts';
import { profilePath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Banner } from '../ui/banner.tsx';

/** Warns of a password that expires in `days` days. */
export const PasswordExpiryBanner = ({ days }: { days: number }) => {
  const { user } = useSession();
  return (
    <Banner kind="WARNING">
      {passwordExpiry(days)}{' '}
      <Anchor component={Link} to={profilePath(user)} inherit underline="always">
        Change it
      </Anchor>
    </Banner>
  );
};
