/** Every worker is replaced by one of the other version, one after the other, while jobs of both versions come in. */
export const rollDeploy = {
  name: 'roll-deploy',
  title: 'a deploy rolls over the workers, old and new side by side',
  async inject({ workers, note }) {
    const version = workers.places[0].version === 1 ? 2 : 1;
    note('fault.begun', { version });
    for (const place of workers.places) await workers.replace(place, version);
  },
};
