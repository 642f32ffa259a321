// A collector with one way through it: OTLP in, batches, OTLP out.
package main

import (
	"context"
	"log"
	"os"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/otlphttpexporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/batchprocessor"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

func factories() (otelcol.Factories, error) {
	in, batch, out := otlpreceiver.NewFactory(), batchprocessor.NewFactory(), otlphttpexporter.NewFactory()
	return otelcol.Factories{
		Receivers:  map[component.Type]receiver.Factory{in.Type(): in},
		Processors: map[component.Type]processor.Factory{batch.Type(): batch},
		Exporters:  map[component.Type]exporter.Factory{out.Type(): out},
		Telemetry:  otelconftelemetry.NewFactory(),
	}, nil
}

func main() {
	collector, err := otelcol.NewCollector(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector", Version: "1.0.0"},
		Factories: factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{
			ResolverSettings: confmap.ResolverSettings{
				URIs:              []string{"file:" + os.Args[1]},
				ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
			},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := collector.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
