CREATE TABLE orders (id serial PRIMARY KEY, email text NOT NULL);
