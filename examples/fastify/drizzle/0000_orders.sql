CREATE TABLE "orders" (
	"id" serial PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"cents" integer NOT NULL,
	"receipt_sent_at" timestamp with time zone
);
