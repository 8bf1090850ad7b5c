/**
 * Companies and services that hand out API keys of no form of their own: names, nothing else. One of them right before
 * a random value says what the value is.
 */
export const VENDOR_NAMES: readonly string[] = (
  "abbysale abuseipdb accuweather adafruit adobe adzuna aeroworkflow agora airbrake airship airtable " +
  "airvisual aiven alchemy alegra aletheia algolia alibaba alienvault aliyun allsports amadeus ambee " +
  "amplitude anthropic anypoint apacta api2cart apideck apiflash apifonica apify apimatic apiscience " +
  "appcues appfollow appointedd appsflyer appsynergy apptivo artifactory artsy asana assemblyai atera " +
  "atlassian audd auth0 autodesk autoklose avaza aviationstack axonaut aylien ayrshare azure backblaze " +
  "baidu bannerbear baremetrics baseapi beebole besnappy besttime betterstack billomat bitbar bitbucket " +
  "bitcoinaverage bitfinex bitly bitmex blazemeter blitapp blockfrost blocknative blogger blynk " +
  "bombbomb boostnote borgbase box braintree brandfetch brevo browserstack browshot bscscan buddyns " +
  "budibase bugherd bugsnag buildkite bulbul bulksms buttercms caflou calendarific calendly " +
  "calorieninja campayn canny capsulecrm captaindata carboninterface cashboard caspio censys " +
  "centralstationcrm cexio chargebee chartmogul chatfuel checio checklyhq checkvist cicero circleci " +
  "clarifai clearbit clickhelp clicksend clickup cliengo clinchpad clockify clockworksms closecrm " +
  "cloudconvert cloudelements cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsmith " +
  "cloverly clustdoc codacy codeclimate codecov codemagic codequiry cohere coinapi coinbase coinlayer " +
  "coinlib collect2 commercejs companyhub confluent contentful conversiontools convertapi convertkit " +
  "convier countrylayer coveralls craftmypdf crowdin cryptocompare currencycloud currencyfreaks " +
  "currencylayer currencyscoop currentsapi customerguru customerio d7network dailyco dandelion " +
  "dareboost dashscope databox databricks datadog datagov debounce deepai deepgram deepseek delighted " +
  "demio deputy detectify detectlanguage dfuse diffbot diggernaut digitalocean dingtalk discord disqus " +
  "dnscheck dockerhub docparser documo docusign doppler dotmailer dovico dronahq droneci dropbox duply " +
  "dwolla dynalist dynatrace dyspatch eagleeyenetworks easyinsight easypost ecostruxureit edamam edenai " +
  "eightxeight elasticemail elevenlabs enablex eraser etherscan ethplorer etsy eventbrite everhour " +
  "exchangerate exportsdk extractorapi facebook faceplusplus fastforex fastly feedier feishu fetchrss " +
  "figma fileio finage financialmodelingprep findl finnhub firebase firecrawl fixer flatio fleetbase " +
  "flexport flickr flightapi flightlabs flightstats flowflu flutterwave fmfw formbucket formcraft " +
  "formio formsite foursquare frameio freshbooks freshdesk fulcrum fullstory fusebill fxmarket " +
  "geckoboard gengo geoapify geocode geocodify geocodio geoipifi getblock getemail getgeoapi getgist " +
  "getresponse getsandbox gitalk github gitlab gitter glassnode gocanvas gocardless goodday gosquared " +
  "grafana graphcms graphhopper groovehq groq gtmetrix guardianapi gyazo happyscribe hashicorp " +
  "hellosign helpcrunch helpscout hereapi heroku hiveage holidayapi holistic honeycomb html2pdf " +
  "huaweicloud hubspot huggingface hunter hybiscus hypertrack iconfinder iexapis iexcloud imagekit " +
  "imagga infura insightly instabot instamojo integromat intercom interseller intrinio invoiceocean " +
  "ionic ip2location ipapi ipgeolocation ipify ipinfo ipquality ipstack jenkins jira jotform jumpcloud " +
  "jupiterone kairos kanbantool karmacrm keenio kickbox klaviyo klipfolio knapsackpro kontent kraken " +
  "kucoin kylas languagelayer larksuite lastfm launchdarkly leadfeeder lemlist lemonsqueezy lendflow " +
  "lessannoyingcrm lexigram linemessaging linenotify linkedin linkpreview liveagent livestorm loadmill " +
  "lob locationiq loginradius logzio lokalise loyverse luno madkudu magicbell mailboxlayer mailchimp " +
  "mailerlite mailgun mailjet mailmodo mailsac mandrill mapbox mapquest marketstack mattermost " +
  "mavenlink maxmind meaningcloud mediastack meistertask mesibo messagebird metaapi metabase metrilo " +
  "mindmeister mistral mixmax mixpanel mockaroo monday monkeylearn moonclerk moonshot moosend " +
  "mrticktock myexperiment myfreshworks myintervals nasdaqdatalink nethunt netlify newrelic newsapi " +
  "newscatcher nexmo nftport ngrok nicereply nightfall nimble noticeable notion nozbe nuget numverify " +
  "nutritionix nvidia nylas nytimes oanda okta omnisend onedesk onelogin onepagecrm onwater oopspam " +
  "openai opencagedata opengraphr openuv openweather opsgenie optimizely overloop owlbot pagarme " +
  "pagerduty pandadoc pandascore paralleldots parsehub parseur partnerstack passbase pastebin " +
  "paydirtapp paymo paymongo paypal paystack pdflayer pdfshift peopledatalabs pepipost percy perplexity " +
  "pinata pinecone pipedream pipedrive pivotaltracker pixabay plaid planviewleankit planyo plivo podio " +
  "pollsapi poloniex polygon positionstack postageapi postbacks posthog postman postmark powrbot " +
  "prodpad prospectcrm protocolsio proxycrawl pubnub pulumi purestake pushbullet pusher qase qiniu " +
  "qualaroo qubole quickmetrics rapidapi rawg razorpay reachmail readme reallysimplesystems rebrandly " +
  "recaptcha rechargeapps refiner rentman repairshopr replicate replyio requestfinance restpack " +
  "revampcrm ringcentral ritekit rocketreach rollbar roninapp route4me rownd rubygems runrunit " +
  "salesblink salescookie salesflare salesforce salesmate satismeter saucelabs scaleway scalr scrapeowl " +
  "scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi " +
  "screenshotlayer scrutinizer securitytrails selectpdf semaphore sendbird sendgrid sendinblue sentry " +
  "serphouse serpstack sheety sherpadesk shipday shodan shopify shotstack shutterstock signupgenius " +
  "sigopt simfin simplesat simplynoted simvoly sinch sirv siteleaf skrappio skybiometry slack " +
  "smartsheet smartystreets smooch snipcart snyk sonarcloud sonarqube sourcegraph speechtextai splunk " +
  "sportradar sportsmonk spotify squadcast squarespace squareup sslmate stackhawk statuscake statuspage " +
  "statuspal stitchdata stockdata storecove stormboard stormglass storyblok storychief strava streak " +
  "stripe stripo stytch sugester sumologic supabase supernotes surveyanyplace surveybot surveysparrow " +
  "survicate swiftype tallyfy tatum taxjar teamcity teamgate teamwork technicalanalysisapi telegram " +
  "teletype telnyx tencent tencentcloud text2data textmagic the-odds-api theoddsapi thingsboard " +
  "thinkific thousandeyes ticketmaster tickettailor tiingo timecamp timezoneapi tineswebhook tmetric " +
  "todoist toggl tokeet tomorrowio tomtom tradier transferwise travelpayouts travisci trello twelvedata " +
  "twilio twitch twitter tyntec typeform typetalk ubidots uclassify unplugg unsplash upcdatabase uplead " +
  "uploadcare uptimerobot upwave upyun urlscan userflow userstack vagrant vatlayer vbout vercel " +
  "verimail veriphone versioneye viewneo virustotal visualcrossing voiceflow voicegain volcengine " +
  "voodoosms vouchery vpnapi vultr vyte walkscore wandb weatherbit weatherstack web3storage webex " +
  "webflow webscraper webscraping websitepulse wecom wepay whoxy wistia worksnaps workstack " +
  "worldcoinindex worldweather wrike xero yandex yelp youneedabudget yousign youtube zapier zendesk " +
  "zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zhipu zillow zipapi zipbooks zipcodeapi " +
  "zipcodebase zohocrm zonkafeedback zulip"
).split(" ");
