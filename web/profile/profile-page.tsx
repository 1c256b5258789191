import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Loaded } from '../forms/loaded.tsx';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { profileQuery } from '../session/preferences.ts';
import { useSession } from '../session/session.ts';
import { useTitle } from '../ui/use-title.ts';
import { BetaSection } from './beta-section.tsx';
import { MfaSection } from './mfa-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PhoneSection } from './phone-section.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import classes from './profile.module.css';
import { SessionsSection } from './sessions-section.tsx';

/** The user's own account: sign-in, sessions, notifications and preferences. */
export const ProfilePage = () => {
  useTitle('Your profile');
  const { user } = useSession();
  const query = useQuery({ ...profileQuery, refetchOnMount: 'always' });
  const [message, setMessage] = useState<string | null>(null);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message) top.current?.scrollIntoView({ block: 'start' });
  }, [message]);
  return (
    <div className={classes.page} ref={top}>
      <SavedBanner message={message} close={() => setMessage(null)} />
      <Title order={1}>Your profile</Title>
      <Text mb="lg" c="dimmed">
        {user.firstName} {user.lastName} · {user.username}
      </Text>
      <Loaded query={query} what="profile">
        {(profile) => (
          <>
            <PasswordSection profile={profile} username={user.username} saved={setMessage} />
            <MfaSection profile={profile} saved={setMessage} />
            <PasskeysSection profile={profile} saved={setMessage} />
            <SessionsSection profile={profile} saved={setMessage} />
            <NotificationsSection saved={setMessage} />
            <PhoneSection profile={profile} saved={setMessage} />
            <PreferencesSection preferences={profile.preferences} saved={setMessage} />
            <BetaSection saved={setMessage} />
          </>
        )}
      </Loaded>
    </div>
  );
};
