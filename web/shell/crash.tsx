import { Anchor, Text, Title } from '@mantine/core';
import classes from './shell.module.css';

/** Stands where rendering failed. The error's own words may hold data, so they are not shown. */
export const Crash = () => (
  <div className={classes.alone}>
    <main>
      <Title order={1}>Sorry, something seems to have gone wrong.</Title>
      <Text mt="sm">Uh oh, we ran into a problem.</Text>
      <Text>Please check back in a few minutes.</Text>
      <Anchor href="/" mt="md" display="inline-block">
        Go To Home Page
      </Anchor>
    </main>
  </div>
);
