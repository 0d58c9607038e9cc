// The global setup of both runners: Duework's schema, and then the team's own.
import { setUpTestDatabases } from '@duework/embedded/testing';
import pg from 'pg';

export default setUpTestDatabases({
  async migrate(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // left open, as a careless migration would: the databases are cloned all the same
    client.on('error', () => {});
    await client.query('CREATE TABLE orders (id integer PRIMARY KEY)');
  },
});
